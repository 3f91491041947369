import { useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import { session, signOut } from '../store/session.js';
import { UserChooser } from '../wallet/user-chooser.js';

export function UserMenu(): JSX.Element | null {
  const dialog = useRef<HTMLDialogElement>(null);
  if (session.value === null) return null;
  const close = (): void => dialog.current?.close();
  return (
    <>
      <button type="button" class="user" aria-haspopup="dialog" onClick={() => dialog.current?.showModal()}>
        <bdi>{session.value.user}</bdi>
        <span class="hidden">, change the user</span>
      </button>
      <dialog ref={dialog} aria-label="Choose a wallet">
        <UserChooser onChosen={close} />
        <div class="actions">
          <button
            type="button"
            onClick={() => {
              close();
              signOut();
            }}
          >
            Sign out
          </button>
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      </dialog>
    </>
  );
}
