import { histogramLines } from './histogram-lines.js';

const BUCKET_BOUNDS_SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

interface Series {
  readonly labels: string;
  /** Requests per bucket, not cumulative; the last bucket has no upper bound. */
  readonly counts: Float64Array;
  seconds: number;
}

/** Replaces the histogram of prom-client, which builds and compares a text of sorted labels for every request. */
export class RequestTimes {
  readonly #name: string;
  readonly #help: string;
  readonly #series: Map<string, Map<string, Map<number, Series>>> = new Map();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const series = this.#series.get(route)?.get(method)?.get(status) ?? this.#add(method, route, status);
    let step = 0;
    while (seconds > (BUCKET_BOUNDS_SECONDS[step] ?? Infinity)) step++;
    series.counts[step] = (series.counts[step] ?? 0) + 1;
    series.seconds += seconds;
  }

  text(): string {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const { labels, counts, seconds } of this.#all())
      lines.push(...histogramLines(this.#name, labels, BUCKET_BOUNDS_SECONDS, counts, seconds));
    return `${lines.join('\n')}\n`;
  }

  *#all(): Iterable<Series> {
    for (const ofRoute of this.#series.values()) for (const ofMethod of ofRoute.values()) yield* ofMethod.values();
  }

  #add(method: string, route: string, status: number): Series {
    const labels = Object.entries({ method, route, status: String(status) });
    // Label values are escaped like JSON strings.
    const text = labels.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(',');
    const series = { labels: text, counts: new Float64Array(BUCKET_BOUNDS_SECONDS.length + 1), seconds: 0 };
    const ofRoute = this.#series.get(route) ?? new Map<string, Map<number, Series>>();
    const ofMethod = ofRoute.get(method) ?? new Map<number, Series>();
    this.#series.set(route, ofRoute.set(method, ofMethod.set(status, series)));
    return series;
  }
}
