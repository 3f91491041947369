import { SingleBar } from 'cli-progress';
import { grouped } from './table.js';
import { withoutControls } from './terminal.js';

export interface Progress {
  readonly update: (rows: number, note?: string) => void;
  readonly end: () => void;
}

export function progressOf(label: string, total: number, isShown: boolean, unit: string = 'rows'): Progress {
  if (!isShown) return { update: () => undefined, end: () => undefined };
  const bar = new SingleBar({
    format: `{label} [{bar}] {percentage} % · {rate} ${unit}/s · {left} s left{note}`,
    barsize: 16,
    stream: process.stderr,
    // An interrupted run cannot restore terminal settings, so they are not changed: cursor shown, lines wrapped.
    hideCursor: null,
    linewrap: true,
    clearOnComplete: true,
    // The simulation blocks the event loop, so the bar redraws on update, not by timer.
    synchronousUpdate: true,
    fps: 10,
  });
  const began = performance.now();
  const payload = (done: number, note: string = ''): Record<string, string> => {
    const seconds = (performance.now() - began) / 1000;
    const rate = seconds > 0 ? done / seconds : 0;
    return {
      label: withoutControls(label),
      note: note === '' ? '' : ` · ${withoutControls(note)}`,
      rate: grouped(Math.round(rate)),
      left: rate > 0 ? grouped(Math.ceil((total - done) / rate)) : '…',
    };
  };
  bar.start(total, 0, payload(0));
  return { update: (rows, note) => bar.update(rows, payload(rows, note)), end: () => bar.stop() };
}

export interface LateProgress {
  readonly update: (done: number, total: number | null) => void;
  readonly end: () => void;
}

export function lateProgressOf(label: string, isShown: boolean, unit?: string): LateProgress {
  let bar: Progress | null = null;
  return {
    update(done, total) {
      bar ??= progressOf(label, total ?? 0, isShown && total !== null, unit);
      bar.update(done);
    },
    end: () => bar?.end(),
  };
}
