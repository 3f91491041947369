import type { Logger } from '@coinlab/http';
import type { Logger as Pino } from 'pino';
import type { Terminal } from './terminal.js';

/** How much is logged: nothing, faults, also what was refused to those who ask nobody, also every request. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info'] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

type Said = readonly [level: Exclude<LogLevel, 'silent'>, facts: object, what: string];

/**
 * A log of one JSON object a line, beside the results. The library is loaded with the first line, and lines wait for it: a server
 * is to be ready before.
 */
export function jsonLog(level: LogLevel, terminal: Terminal): Logger & { flush(): Promise<void> } {
  let pino: Pino | null = null;
  let loading: Promise<void> | null = null;
  const waiting: Said[] = [];
  const load = async (): Promise<void> => {
    const { pino: make } = await import('pino');
    // Neither process id nor host name: who runs several tells them apart outside.
    const formatters = { level: (label: string): object => ({ level: label }) };
    pino = make({ level, base: null, formatters, timestamp: timeField() }, { write: together(terminal.err) });
    for (const said of waiting.splice(0)) write(pino, said);
  };
  const say = (...said: Said): void => {
    if (LOG_LEVELS.indexOf(said[0]) > LOG_LEVELS.indexOf(level)) return;
    if (pino) return write(pino, said);
    waiting.push(said);
    loading ??= load();
  };
  return {
    info: (facts, what) => say('info', facts, what),
    warn: (facts, what) => say('warn', facts, what),
    error: (facts, what) => say('error', facts, what),
    async flush() {
      await loading;
      // What was said in this turn of the event loop is written by the next.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** The field of the time; a busy server says more in a millisecond than it could print times. */
function timeField(): () => string {
  let [millis, field] = [0, ''];
  return () => {
    const now = Date.now();
    if (now !== millis) [millis, field] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return field;
  };
}

function write(pino: Pino, [level, facts, what]: Said): void {
  pino[level](facts, what);
}

/** Lines of one turn of the event loop are written at once: a busy server says more than it could write one by one. */
function together(write: (text: string) => void): (line: string) => void {
  let lines = '';
  const writeAll = (): void => {
    const text = lines;
    lines = '';
    write(text);
  };
  return (line) => {
    if (lines === '') setImmediate(writeAll);
    lines += line;
  };
}
