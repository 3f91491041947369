import type { Context, Handler, Next } from 'hono';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** What shall go wrong, for the tests of those who must live with it. */
interface FaultPlan {
  /** Every request that it concerns waits so long, in milliseconds … */
  readonly delayMs: number;
  /** … and up to so long beside. */
  readonly jitterMs: number;
  /** How many of them are answered with an error: from 0, none, to 1, all. */
  readonly errorRate: number;
  readonly status: 429 | 500 | 503;
  /** Which requests it concerns: those whose path begins so, under any prefix. */
  readonly path: string;
  /** It ends once so many requests were delayed or failed; null: never. */
  readonly count: number | null;
  /** The same requests in the same order have the same luck. */
  readonly seed: number;
  /**
   * Whether a request fails before anything was done, or after all of it was: the answer that got lost. A delay is before, or
   * between what was done and its answer.
   */
  readonly when: 'before' | 'after';
}

/** How a plan goes. */
interface FaultStanding {
  /** The plan that is in force, or null. */
  readonly plan: FaultPlan | null;
  /** Requests that the last plan concerned, and what became of them. */
  readonly concerned: number;
  readonly delayed: number;
  readonly failed: number;
}

/** Faults that are asked for: at most one plan at a time. */
export interface Faults {
  readonly standing: FaultStanding;
  /** Takes the place of the plan before, with its counts; null ends it. */
  plan(plan: FaultPlan | null): void;
  /** Whether a plan is in force. */
  readonly areAskedFor: boolean;
  /** Answers a request as the plan has it. */
  around(c: Context, handler: Handler, next: Next): Promise<Response | void>;
}

/** Where nothing ever goes wrong on purpose: the routes that steer it, and those that tell how the server is. */
const SPARED = /^\/(dev|livez|readyz|status|version|metrics|docs|openapi\.json)(\/|$)/;
const PREFIX = /^\/api\/(scan|validator)(?=\/)/;

interface Luck {
  readonly millis: number;
  readonly fails: boolean;
}

/** @param ending a delay ends with the server */
export function faults(ending: AbortSignal): Faults {
  let inForce: FaultPlan | null = null;
  let chance = xoroshiro128plus(0);
  let [concerned, delayed, failed, hit] = [0, 0, 0, 0];

  // Both are drawn for every request, so that one does not change the luck of the other.
  const draw = (plan: FaultPlan): Luck => {
    const [error, jitter] = [uniformFloat64(chance), uniformFloat64(chance)];
    return { fails: error < plan.errorRate, millis: plan.delayMs + Math.round(jitter * plan.jitterMs) };
  };
  const count = (plan: FaultPlan, { millis, fails }: Luck): void => {
    concerned += 1;
    if (millis > 0) delayed += 1;
    if (fails) failed += 1;
    if (millis > 0 || fails) hit += 1;
    if (plan.count !== null && hit >= plan.count) inForce = null;
  };

  return {
    get standing() {
      return { plan: inForce, concerned, delayed, failed };
    },
    plan(plan) {
      inForce = plan;
      if (!plan) return;
      chance = xoroshiro128plus(plan.seed);
      [concerned, delayed, failed, hit] = [0, 0, 0, 0];
    },
    get areAskedFor() {
      return inForce !== null;
    },
    async around(c, handler, next) {
      const path = c.req.path.replace(PREFIX, '');
      const plan = inForce;
      if (!plan || SPARED.test(path) || !path.startsWith(plan.path)) return handler(c, next);
      const luck = draw(plan);
      count(plan, luck);
      const failure = (): Response =>
        c.json({ error: `a fault that was asked for, ${plan.when} the request was dealt with` }, plan.status);
      if (plan.when === 'before') {
        await passing(luck.millis, ending);
        return luck.fails ? failure() : handler(c, next);
      }
      try {
        const answer = await handler(c, next);
        if (!luck.fails) return answer;
      } catch (error) {
        if (!luck.fails) throw error;
      } finally {
        await passing(luck.millis, ending);
      }
      // Assigned alone, the new answer would keep headers of the old one.
      c.res = undefined;
      c.res = failure();
    },
  };
}

function passing(millis: number, ending: AbortSignal): Promise<void> {
  if (millis === 0 || ending.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      ending.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, millis);
    ending.addEventListener('abort', done);
  });
}
