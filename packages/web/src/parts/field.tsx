import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly fault?: string | null;
  readonly hint?: ComponentChildren;
  readonly list?: readonly { readonly value: string; readonly label: string }[];
  readonly isSearch?: boolean;
  readonly isSecret?: boolean;
  readonly inputMode?: 'decimal' | 'numeric' | 'text';
  readonly placeholder?: string;
  readonly isRequired?: boolean;
}

export function Field(props: FieldProps): JSX.Element {
  const { label, value, fault = null, hint, list, inputMode, placeholder, isRequired = false } = props;
  const id = useId();
  const hasHelp = hint !== undefined || fault !== null;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...kindOf(props, id)}
        value={value.value}
        autocomplete="off"
        spellcheck={false}
        required={isRequired}
        aria-invalid={fault !== null}
        {...(inputMode ? { inputMode } : {})}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(hasHelp ? { 'aria-describedby': `${id}-help` } : {})}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
      {list ? (
        <datalist id={`${id}-list`}>
          {list.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </datalist>
      ) : null}
      {hasHelp ? (
        <p id={`${id}-help`} class={fault === null ? 'help' : 'help bad'}>
          {fault ?? hint}
        </p>
      ) : null}
    </div>
  );
}

function kindOf({ isSearch, isSecret, list }: FieldProps, id: string): InputKind {
  if (isSecret) return { type: 'password' };
  if (isSearch) return { type: 'search' };
  return list ? { type: 'text', list: `${id}-list` } : { type: 'text' };
}

type InputKind = { type: 'password' } | { type: 'search' } | { type: 'text' } | { type: 'text'; list: string };

interface ChoiceProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export function Choice({ label, value, options }: ChoiceProps): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value.value} onChange={(event) => (value.value = event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
