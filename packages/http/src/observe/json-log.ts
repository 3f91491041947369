import type { Logger } from './logger.js';

/** The levels, from least to most output: nothing; faults; also refused commands of automation; also every request. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info'] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

const [MAX_DELAY_MILLIS, MAX_BATCH] = [20, 16 * 1024];

/**
 * Creates a log of JSON lines. Requests are written in batches, which costs a busy server less; warnings and errors are written at
 * once, after all earlier lines.
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
    const json = JSON.stringify(facts);
    lines += `{"level":"${of}","time":"${timeText()}",${json === '{}' ? '' : `${json.slice(1, -1)},`}"msg":${JSON.stringify(what)}}\n`;
    if (of !== 'info' || lines.length > MAX_BATCH) flush();
    else waiting ??= setTimeout(flush, MAX_DELAY_MILLIS).unref();
    // The last lines are written however the process exits.
    if (!isWatched) process.once('exit', flush);
    isWatched = true;
  };
  const sayer = (of: Exclude<LogLevel, 'silent'>): Logger['info'] =>
    LOG_LEVELS.indexOf(of) > LOG_LEVELS.indexOf(level) ? () => undefined : (facts, what) => say(of, facts, what);
  return { info: sayer('info'), warn: sayer('warn'), error: sayer('error'), flush };
}

let [millis, printed] = [0, ''];

/** A busy server logs many lines in one millisecond. */
function timeText(): string {
  const now = Date.now();
  if (now !== millis) [millis, printed] = [now, new Date(now).toISOString()];
  return printed;
}
