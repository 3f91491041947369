import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Answer, Problem } from '../api/call.js';
import { Card } from '../parts/card.js';
import { Field } from '../parts/field.js';
import { Failure } from '../parts/states.js';
import { Party } from '../parts/values.js';
import { devUsers, session, signIn, signInAs } from '../store/session.js';

interface ChooserProps {
  readonly onChosen?: () => void;
}

export function UserChooser({ onChosen }: ChooserProps): JSX.Element {
  const problem = useSignal<Problem | null>(null);
  const choose = async (signing: Promise<Answer<unknown>>): Promise<void> => {
    const answer = await signing;
    problem.value = answer.ok ? null : answer.problem;
    if (answer.ok) onChosen?.();
  };
  return (
    <div class="chooser">
      <h1>Choose a wallet</h1>
      {problem.value ? <Failure problem={problem.value} /> : null}
      {devUsers.value === null ? null : (
        <>
          <KnownUsers choose={(user) => void choose(signInAs(user))} />
          <NewUser choose={(user) => void choose(signInAs(user))} />
        </>
      )}
      <ByToken choose={(token) => void choose(signIn(token))} />
    </div>
  );
}

const MOST_SHOWN = 50;

function KnownUsers({ choose }: { readonly choose: (user: string) => void }): JSX.Element {
  const text = useSignal('');
  const users = devUsers.value ?? [];
  const found = users.filter(({ user }) => user.toLowerCase().includes(text.value.trim().toLowerCase()));
  return (
    <Card title="Users of this server" aside={`${users.length}`}>
      {users.length > 10 ? <Field label="Find a user" isSearch value={text} /> : null}
      <ul class="users">
        {found.slice(0, MOST_SHOWN).map(({ user, party }) => (
          <li key={user}>
            <button type="button" onClick={() => choose(user)} aria-pressed={session.value?.user === user}>
              <strong>
                <bdi>{user}</bdi>
              </strong>
              <Party id={party} />
            </button>
          </li>
        ))}
      </ul>
      {found.length > MOST_SHOWN ? (
        <p class="quiet">and {found.length - MOST_SHOWN} more: type a part of the name</p>
      ) : null}
      {found.length === 0 ? <p class="quiet">No user has this name. Onboard one below.</p> : null}
    </Card>
  );
}

function NewUser({ choose }: { readonly choose: (user: string) => void }): JSX.Element {
  const name = useSignal('');
  return (
    <Card title="New user">
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.value.trim() !== '') choose(name.value.trim());
        }}
      >
        <Field label="Name" value={name} hint="The next step onboards the user: a fresh party with a wallet." />
        <button type="submit" disabled={name.value.trim() === ''}>
          Continue
        </button>
      </form>
    </Card>
  );
}

function ByToken({ choose }: { readonly choose: (token: string) => void }): JSX.Element {
  const token = useSignal('');
  return (
    <Card title="Token">
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.value.trim() !== '') choose(token.value.trim());
        }}
      >
        <Field
          label="Paste a token (JWT)"
          isSecret
          value={token}
          hint="Kept for this tab only, and sent to this server only."
        />
        <button type="submit" disabled={token.value.trim() === ''}>
          Sign in
        </button>
      </form>
    </Card>
  );
}
