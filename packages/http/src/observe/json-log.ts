import type { Logger } from './logger.js';

/** How much is logged: nothing, faults, also what was refused to those who ask nobody, also every request. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info'] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** How long a line may wait for others, in milliseconds, and how much they may be together, in characters. */
const [PATIENCE, PIECE] = [20, 16 * 1024];

/**
 * A log of one JSON object a line. Requests are told some at a time, because a busy server says more than it could
 * write one by one; what went wrong is told at once, after everything before it.
 */
export function jsonLog(level: LogLevel, write: (text: string) => void): Logger & { flush(): void } {
  let lines = '';
  let waiting: NodeJS.Timeout | null = null;
  let isWatched = false;
  const flush = (): void => {
    if (waiting) clearTimeout(waiting);
    waiting = null;
    const text = lines;
    lines = '';
    if (text !== '') write(text);
  };
  const say = (of: Exclude<LogLevel, 'silent'>, facts: object, what: string): void => {
    if (LOG_LEVELS.indexOf(of) > LOG_LEVELS.indexOf(level)) return;
    const told = JSON.stringify(facts);
    lines += `{"level":"${of}","time":"${timeText()}",${told === '{}' ? '' : `${told.slice(1, -1)},`}"msg":${JSON.stringify(what)}}\n`;
    if (of !== 'info' || lines.length > PIECE) flush();
    else waiting ??= setTimeout(flush, PATIENCE).unref();
    // However the program ends, its last lines are told.
    if (!isWatched) process.once('exit', flush);
    isWatched = true;
  };
  return {
    info: (facts, what) => say('info', facts, what),
    warn: (facts, what) => say('warn', facts, what),
    error: (facts, what) => say('error', facts, what),
    flush,
  };
}

let [millis, printed] = [0, ''];

/** The time now; a busy server says more in a millisecond than it could print times. */
function timeText(): string {
  const now = Date.now();
  if (now !== millis) [millis, printed] = [now, new Date(now).toISOString()];
  return printed;
}
