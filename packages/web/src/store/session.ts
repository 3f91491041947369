import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { get, post, send, type Answer } from '../api/call.js';
import { param, setParams } from './route.js';

/** The user of this tab. */
export interface Session {
  readonly user: string;
  readonly token: string;
  /** Null for a user who is not onboarded. */
  readonly party: string | null;
}

/** A user of a development server. */
export interface DevUser {
  readonly user: string;
  readonly party: string;
}

interface UserStatus {
  readonly party_id: string;
  readonly user_wallet_installed: boolean;
}

const KEPT = 'coinlab.session';

/** Null until a user is chosen. Kept for the tab only. */
export const session = signal<Session | null>(kept());

/** The party of this tab's wallet, null without one. */
export const ownParty: ReadonlySignal<string | null> = computed(() => session.value?.party ?? null);

/** The token of this tab, null without a user. */
export const ownToken: ReadonlySignal<string | null> = computed(() => session.value?.token ?? null);

/** The users of a development server; null on other servers and before the first answer. */
export const devUsers = signal<readonly DevUser[] | null>(null);

effect(() => {
  if (session.value === null) sessionStorage.removeItem(KEPT);
  else sessionStorage.setItem(KEPT, JSON.stringify(session.value));
});

function kept(): Session | null {
  try {
    const { user, token, party }: Partial<Session> = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');
    return user !== undefined && token !== undefined ? { user, token, party: party ?? null } : null;
  } catch {
    return null;
  }
}

/** Signs in with a token. The server decides whether it is valid. */
export async function signIn(token: string): Promise<Answer<UserStatus>> {
  const answer = await send<UserStatus>(get('v0/wallet/user-status', token), null);
  if (!answer.ok) return answer;
  const { party_id, user_wallet_installed } = answer.body;
  const user = subjectOf(token) ?? 'user';
  session.value = { user, token, party: user_wallet_installed ? party_id : null };
  if (devUsers.peek() !== null) setParams({ user });
  return answer;
}

/** Signs in as a user of a development server, which makes tokens. */
export async function signInAs(user: string): Promise<Answer<unknown>> {
  const made = await send<{ readonly token: string }>(post('dev/tokens', { user }), null);
  return made.ok ? signIn(made.body.token) : made;
}

/** Onboards the user of this tab: the validator allocates a party and installs a wallet. */
export async function onboard(): Promise<Answer<unknown>> {
  const { token = '' } = session.peek() ?? {};
  const answer = await send<{ readonly party_id: string }>(post('v0/register', {}, token), null);
  return answer.ok ? signIn(token) : answer;
}

export function signOut(): void {
  session.value = null;
  setParams({ user: null });
}

/** Loads the signed-in user again, for example after a restart of the server. Signs out if the token is no longer accepted. */
export async function checkSession(): Promise<void> {
  const current = session.peek();
  if (await followAddress()) return;
  if (current) {
    const answer = await signIn(current.token);
    if (!answer.ok && answer.problem.kind === 'unauthorised') signOut();
  }
}

/** Signs in as the user that the address names, on a development server. Returns false if there is nothing to do. */
async function followAddress(): Promise<boolean> {
  const wanted = param('user');
  if (wanted === null || session.peek()?.user === wanted || devUsers.peek() === null) return false;
  await signInAs(wanted);
  return true;
}

effect(() => {
  // A link pasted into this tab may name another user.
  void param('user');
  void followAddress();
});

/** The user that a token names. The page only shows it; the server checks the token. */
function subjectOf(token: string): string | null {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
      sign.charCodeAt(0),
    );
    const { sub }: { sub?: unknown } = JSON.parse(new TextDecoder().decode(bytes));
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}
