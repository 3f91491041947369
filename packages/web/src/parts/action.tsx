import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import type { Call } from '../api/call.js';
import { act } from '../store/notices.js';
import { moment } from '../store/route.js';

interface ActionProps {
  readonly call: Call;
  /** Announced to screen readers once the request has succeeded. */
  readonly done: string;
  /** Label for screen readers where the visible text is ambiguous: `Accept 2.5 from alice`. */
  readonly label?: string;
  readonly kind?: 'main' | 'plain' | 'danger';
  readonly isDisabled?: boolean;
  readonly onDone?: () => void;
  readonly children: ComponentChildren;
}

export function Action({
  call,
  done,
  label,
  kind = 'plain',
  isDisabled = false,
  onDone,
  children,
}: ActionProps): JSX.Element {
  const isBusy = useSignal(false);
  const run = async (): Promise<void> => {
    isBusy.value = true;
    const answer = await act(call, done);
    isBusy.value = false;
    if (answer.ok) onDone?.();
  };
  return (
    <button
      type="button"
      class={kind}
      disabled={isDisabled || isBusy.value || (moment.value !== null && !call.isOfServer)}
      aria-busy={isBusy.value}
      {...(label === undefined ? {} : { 'aria-label': label })}
      onClick={() => void run()}
    >
      {children}
    </button>
  );
}
