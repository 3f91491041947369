import type { Context, Handler, Next } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { CantonError } from '../wire/canton-error.js';
import { cantonErrorWith } from './ledger/errors.js';

interface FaultPlan {
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly errorRate: number;
  readonly status: ContentfulStatusCode;
  readonly path: string;
  readonly count: number | null;
  readonly seed: number;
  readonly when: 'before' | 'after';
}

export class InjectedFault extends Error {
  readonly status: number;

  constructor({ status, when }: Pick<FaultPlan, 'status' | 'when'>) {
    super(`injected fault, ${when} the request took effect`);
    this.status = status;
  }

  get cantonError(): CantonError {
    return cantonErrorWith(this.status, this.message);
  }
}

interface FaultStatus {
  readonly plan: FaultPlan | null;
  readonly concerned: number;
  readonly delayed: number;
  readonly failed: number;
}

export interface Faults {
  readonly status: FaultStatus;
  plan(plan: FaultPlan | null): void;
  readonly isActive: boolean;
  ofHandshake(path: string): Promise<boolean>;
  around(c: Context, handler: Handler, next: Next, isLedger: boolean): Promise<Response | void>;
}

const EXEMPT = /^\/(dev|fork|livez|readyz|status|version|metrics|docs|openapi|openapi\.json)(\/|$)/;
const PREFIX = /^\/api\/(scan|validator)(?=\/)/;

interface Draw {
  readonly millis: number;
  readonly fails: boolean;
}

export function faults(ending: AbortSignal): Faults {
  let active: FaultPlan | null = null;
  let chance = xoroshiro128plus(0);
  let [concerned, delayed, failed, hit] = [0, 0, 0, 0];

  // Draw both numbers for every request, so that one setting does not change the other's sequence.
  const draw = (plan: FaultPlan): Draw => {
    const [error, jitter] = [uniformFloat64(chance), uniformFloat64(chance)];
    return { fails: error < plan.errorRate, millis: plan.delayMs + Math.round(jitter * plan.jitterMs) };
  };
  const count = (plan: FaultPlan, { millis, fails }: Draw): void => {
    concerned += 1;
    if (millis > 0) delayed += 1;
    if (fails) failed += 1;
    if (millis > 0 || fails) hit += 1;
    if (plan.count !== null && hit >= plan.count) active = null;
  };

  const concerning = (path: string): { readonly plan: FaultPlan; readonly drawn: Draw } | null => {
    const plan = active;
    const own = path.replace(PREFIX, '');
    if (!plan || EXEMPT.test(own) || !own.startsWith(plan.path)) return null;
    const drawn = draw(plan);
    count(plan, drawn);
    return { plan, drawn };
  };

  return {
    get status() {
      return { plan: active, concerned, delayed, failed };
    },
    plan(plan) {
      active = plan;
      if (!plan) return;
      chance = xoroshiro128plus(plan.seed);
      [concerned, delayed, failed, hit] = [0, 0, 0, 0];
    },
    get isActive() {
      return active !== null;
    },
    async ofHandshake(path) {
      const fault = concerning(path);
      if (fault) await passing(fault.drawn.millis, ending);
      if (!fault?.drawn.fails) return false;
      if (fault.plan.when === 'before') throw new InjectedFault(fault.plan);
      return true;
    },
    async around(c, handler, next, isLedger) {
      const fault = concerning(c.req.path);
      if (!fault) return handler(c, next);
      const { plan, drawn } = fault;
      const failure = (): Response => {
        const { message: error, cantonError } = new InjectedFault(plan);
        return c.json(isLedger ? cantonError : { error }, plan.status);
      };
      if (plan.when === 'before') {
        await passing(drawn.millis, ending);
        return drawn.fails ? failure() : handler(c, next);
      }
      try {
        const answer = await handler(c, next);
        if (!drawn.fails) return answer;
      } catch (error) {
        if (!drawn.fails) throw error;
      } finally {
        await passing(drawn.millis, ending);
      }
      // Without this assignment the new response would keep headers of the old one.
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
