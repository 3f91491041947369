import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';

const SHOWN_MILLIS = 1_500;

/** `what` names the text for screen readers. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): JSX.Element {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    // The clipboard exists only on secure addresses.
    await navigator.clipboard?.writeText(text).catch(() => undefined);
    isCopied.value = true;
    setTimeout(() => (isCopied.value = false), SHOWN_MILLIS);
  };
  return (
    <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      {isCopied.value ? 'copied' : 'copy'}
    </button>
  );
}
