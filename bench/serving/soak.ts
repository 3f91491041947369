import { readFileSync } from 'node:fs';
import { ask, cpuSeconds, type Serving } from './program.js';
import { Latencies } from './latencies.js';
import { nothingTold, type Told, type Wallets } from './offers.js';

/** Seconds at full load with which a section begins. They set its rate; their latencies do not count. */
const FULL_SECONDS = 3;
const SECTION_SECONDS = 30;
const LOAD = 0.8;

/** A part of a soak: some seconds at full load, then writes at {@link LOAD} of the measured rate. */
export interface Section {
  /** Start of the section in seconds since the start of the soak. */
  readonly second: number;
  /** Writes per second at full load. */
  readonly most: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server per write at 80 % divided by that at full load: above 1.25 the load was more than full. Null if unknown. */
  readonly slowed: number | null;
  /** Share of the processors' time that the host of a virtual machine took, while the section ran; null if unknown. */
  readonly stolen: number | null;
}

/** Memory of the server: live heap if `isCollected`, otherwise with garbage. */
export interface Memory {
  readonly second: number;
  readonly writes: number;
  readonly rssMiB: number;
  readonly heapMiB: number;
  readonly isCollected: boolean;
}

export type EventLoopDelays = Readonly<Record<'all' | 'above50' | 'above100' | 'above200', number>>;

export interface Soak {
  readonly sections: readonly Section[];
  /** Latencies at {@link LOAD}, from each write's scheduled time. */
  readonly latencies: Latencies;
  readonly memory: readonly Memory[];
  /** Late timers of the server's event loop: of all, those above a number of milliseconds. */
  readonly delays: EventLoopDelays;
  /** Number of writes, including those at full load. */
  readonly writes: number;
  readonly surprises: readonly string[];
}

/**
 * Writes offers and acceptances for some minutes. Each section measures the full rate anew, because the speed of a shared machine changes by
 * more than the fifth that {@link LOAD} leaves: at the rate of another minute, the queue of a full machine would be measured.
 */
export async function soak(
  server: Serving,
  wallets: Wallets,
  clients: number,
  minutes: number,
  say: (text: string) => void,
): Promise<Soak> {
  const told = nothingTold();
  const began = performance.now();
  const all = new Latencies();
  const sections: Section[] = [];
  const memory: Memory[] = [];
  let writes = 0;
  const seconds = (): number => Math.round((performance.now() - began) / 1000);
  // A full collection takes long, so it runs only while no writes are pending.
  const remember = async (isCollected: boolean): Promise<void> => {
    const { rss, heapUsed, arrayBuffers } = await ask<NodeJS.MemoryUsage>(server, isCollected ? 'heap' : 'memory');
    const [rssMiB, heapMiB] = [rss / 2 ** 20, (heapUsed + arrayBuffers) / 2 ** 20];
    memory.push({ second: seconds(), writes, rssMiB, heapMiB, isCollected });
  };
  await remember(true);
  // The first scrape begins the measurement, and the collections of this measurement are not in it.
  await eventLoopDelays(server);
  for (let index = 0; seconds() < minutes * 60; index++) {
    const second = seconds();
    const before = processorTimes();
    const cpu = [cpuSeconds(server)];
    const full = await atFullLoad(wallets, clients, `full-${index}`, FULL_SECONDS * 1000, told);
    cpu.push(cpuSeconds(server));
    const most = full.writes / full.seconds;
    const of = await atRate(wallets, clients, `paced-${index}`, SECTION_SECONDS - FULL_SECONDS, most * LOAD, told);
    cpu.push(cpuSeconds(server));
    writes += full.writes + of.count;
    all.addAll(of);
    const section = {
      second,
      most,
      p50: of.quantile(0.5),
      p99: of.quantile(0.99),
      slowed: ratioOf(perWrite(cpu[1], cpu[2], of.count), perWrite(cpu[0], cpu[1], full.writes)),
      stolen: stolenShare(before, processorTimes()),
    };
    sections.push(section);
    await remember(false);
    say(
      `${seconds()} s: ${writes} writes, resident ${memory.at(-1)?.rssMiB.toFixed(0)} MiB, full ${most.toFixed(0)}/s, p50 ${section.p50.toFixed(1)} ms, p99 ${section.p99.toFixed(1)} ms, slowed ${section.slowed?.toFixed(2)}, stolen ${((section.stolen ?? Number.NaN) * 100).toFixed(1)} %`,
    );
  }
  const delays = await eventLoopDelays(server);
  await remember(true);
  return { sections, latencies: all, memory, delays, writes, surprises: told.surprises };
}

/** Makes every client offer and accept until the time is over. */
export async function atFullLoad(
  wallets: Wallets,
  clients: number,
  name: string,
  millis: number,
  told: Told,
): Promise<{ readonly writes: number; readonly seconds: number }> {
  let writes = 0;
  const began = performance.now();
  const client = async (index: number): Promise<void> => {
    for (let i = 0; performance.now() < began + millis; i++) {
      const offer = await wallets.offer(index, `${name}-${index}-${i}`, told);
      if (!offer) continue;
      await wallets.accept(index, offer, told);
      writes += 2;
      forget(told);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  return { writes, seconds: (performance.now() - began) / 1000 };
}

async function atRate(
  wallets: Wallets,
  clients: number,
  name: string,
  seconds: number,
  perSecond: number,
  told: Told,
): Promise<Latencies> {
  const latencies = new Latencies();
  const began = performance.now();
  const until = began + seconds * 1000;
  const interval = (clients * 2 * 1000) / perSecond;
  const client = async (index: number): Promise<void> => {
    let due = began + (index / clients) * interval;
    for (let i = 0; due < until; i++, due += interval) {
      const early = due - performance.now();
      // Even a timer of 0 ms waits for one, so a client that is late would get later.
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      const offer = await wallets.offer(index, `${name}-${index}-${i}`, told);
      latencies.add(performance.now() - due);
      if (!offer) continue;
      const accepting = performance.now();
      await wallets.accept(index, offer, told);
      latencies.add(performance.now() - accepting);
      forget(told);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  return latencies;
}

/** Counts of late timers of the server's event loop since the first call, as `/metrics` has them. */
async function eventLoopDelays({ url }: Serving): Promise<EventLoopDelays> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const upTo = (bound: string): number =>
    Number(new RegExp(`^coinlab_event_loop_delay_seconds_bucket\\{le="${bound}"\\} (\\d+)`, 'm').exec(text)?.[1]);
  const all = upTo('\\+Inf');
  return { all, above50: all - upTo('0\\.05'), above100: all - upTo('0\\.1'), above200: all - upTo('0\\.2') };
}

/** The client must not stall: a map of a million entries is copied when it grows. */
function forget({ offered, accepted }: Told): void {
  offered.clear();
  accepted.clear();
}

function perWrite(before: number | null | undefined, after: number | null | undefined, writes: number): number | null {
  return typeof before === 'number' && typeof after === 'number' ? (after - before) / writes : null;
}

function ratioOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one / other;
}

interface ProcessorTimes {
  readonly all: number;
  readonly stolen: number;
}

/** Source: proc_stat(5). Null on systems other than Linux. */
function processorTimes(): ProcessorTimes | null {
  const STOLEN = 7;
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const times = line
      .split(/ +/)
      .slice(1, STOLEN + 2)
      .map(Number);
    return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[STOLEN] ?? 0 };
  } catch {
    return null;
  }
}

function stolenShare(before: ProcessorTimes | null, after: ProcessorTimes | null): number | null {
  return before && after ? (after.stolen - before.stolen) / (after.all - before.all) : null;
}
