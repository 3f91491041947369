import { signal } from '@preact/signals';
import { send, type Answer, type Call, type Problem } from '../api/call.js';
import { shownTime } from '../format/times.js';
import { changedNow, ledgerNow } from './live.js';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly call: Call | null;
  readonly problem: Problem | null;
}

export const notices = signal<readonly Notice[]>([]);

export interface Refusal {
  readonly id: number;
  readonly time: string;
  readonly call: Call;
  readonly problem: Problem;
}

export const refusals = signal<readonly Refusal[]>([]);
const MOST_REFUSALS = 100;

const SHOWN_MILLIS = 12_000;
const MOST_SHOWN = 4;
let count = 0;

export function dismiss(id: number): void {
  notices.value = notices.peek().filter((notice) => notice.id !== id);
}

function notify(notice: Omit<Notice, 'id'>): void {
  count += 1;
  const id = count;
  notices.value = [...notices.peek(), { id, ...notice }].slice(-MOST_SHOWN);
  // A refusal stays until it is read.
  if (notice.problem === null) setTimeout(() => dismiss(id), SHOWN_MILLIS);
}

export async function act<Body = unknown>(call: Call, done: string | ((body: Body) => string)): Promise<Answer<Body>> {
  const answer = await send<Body>(call, null);
  if (answer.ok) notify({ text: typeof done === 'string' ? done : done(answer.body), call, problem: null });
  else {
    const { problem } = answer;
    notify({ text: refusalOf(problem), call, problem });
    const refusal = { id: count, time: shownTime(ledgerNow.peek()), call, problem };
    refusals.value = [refusal, ...refusals.peek()].slice(0, MOST_REFUSALS);
  }
  changedNow();
  return answer;
}

function refusalOf({ kind }: Problem): string {
  if (kind === 'unreachable' || kind === 'slow') return 'No answer: the action may or may not have taken effect';
  return kind === 'failed' ? 'The server failed' : 'Refused';
}
