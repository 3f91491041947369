import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { get, post, send, type Answer } from '../api/call.js';
import { param, setParams } from './route.js';

export interface Session {
  readonly user: string;
  readonly token: string;
  readonly party: string | null;
}

export interface DevUser {
  readonly user: string;
  readonly party: string;
}

interface UserStatus {
  readonly party_id: string;
  readonly user_wallet_installed: boolean;
}

const KEPT = 'coinlab.session';

/** Null until a user is chosen. The browser keeps it for this tab only. */
export const session = signal<Session | null>(kept());

export const ownParty: ReadonlySignal<string | null> = computed(() => session.value?.party ?? null);

export const ownToken: ReadonlySignal<string | null> = computed(() => session.value?.token ?? null);

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

export async function signIn(token: string): Promise<Answer<UserStatus>> {
  const answer = await send<UserStatus>(get('v0/wallet/user-status', token), null);
  if (!answer.ok) return answer;
  const { party_id, user_wallet_installed } = answer.body;
  const user = subjectOf(token) ?? 'user';
  session.value = { user, token, party: user_wallet_installed ? party_id : null };
  if (devUsers.peek() !== null) setParams({ user });
  return answer;
}

export async function signInAs(user: string): Promise<Answer<unknown>> {
  const made = await send<{ readonly token: string }>(post('dev/tokens', { user }), null);
  return made.ok ? signIn(made.body.token) : made;
}

export async function onboard(): Promise<Answer<unknown>> {
  const { token = '' } = session.peek() ?? {};
  const answer = await send<{ readonly party_id: string }>(post('v0/register', {}, token), null);
  return answer.ok ? signIn(token) : answer;
}

export function signOut(): void {
  session.value = null;
  setParams({ user: null });
}

/** The server may have restarted. Signs out if the token is no longer accepted. */
export async function checkSession(): Promise<void> {
  const current = session.peek();
  if (await followAddress()) return;
  if (current) {
    const answer = await signIn(current.token);
    if (!answer.ok && answer.problem.kind === 'unauthorised') signOut();
  }
}

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

/** Does not verify the token: the page only shows the name. */
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
