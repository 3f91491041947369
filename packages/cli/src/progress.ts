import { SingleBar } from 'cli-progress';
import { grouped } from './table.js';

/** Shows how far a run is. */
export interface Progress {
  readonly update: (rows: number) => void;
  readonly end: () => void;
}

/** A bar with rate and time left on a terminal, nothing elsewhere. */
export function progressOf(label: string, total: number, isShown: boolean): Progress {
  if (!isShown) return { update: () => undefined, end: () => undefined };
  const bar = new SingleBar({
    format: '{label} [{bar}] {percentage} % · {done} of {rows} rows · {rate} rows/s · {left} s left',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    // The run keeps the thread busy, so the bar is drawn when it is told, never by its timer.
    synchronousUpdate: true,
    fps: 10,
  });
  const began = performance.now();
  const payload = (done: number): Record<string, string> => {
    const seconds = (performance.now() - began) / 1000;
    const rate = seconds > 0 ? done / seconds : 0;
    return {
      label,
      done: grouped(done),
      rows: grouped(total),
      rate: grouped(Math.round(rate)),
      left: rate > 0 ? grouped(Math.ceil((total - done) / rate)) : '…',
    };
  };
  bar.start(total, 0, payload(0));
  return { update: (rows) => bar.update(rows, payload(rows)), end: () => bar.stop() };
}
