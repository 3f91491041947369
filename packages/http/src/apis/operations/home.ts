import { Instant, settingsOf } from '@coinlab/core';
import type { Configured } from '../../config.js';
import type { LedgerView } from '../../history/ledger-view.js';
import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { Problem } from '../../problem.js';
import type { Register } from '../../request.js';
import { HOME_POLICY, homePage } from './home-page.js';

export type HomeNeeds = Pick<LedgerView, 'state' | 'now'> &
  Pick<ValidatorIdentity, 'validator'> &
  Configured<'dev' | 'release'>;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': HOME_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** Answers `/` with a page for browsers, which accept HTML. Other clients get 404 as for every unknown path. */
export const registerHome: Register<HomeNeeds> = (api, server) => {
  api.get('/', (c) => {
    if (!/\btext\/html\b/.test(c.req.header('accept') ?? ''))
      throw new Problem(404, `no such route: GET ${c.req.path}`);
    const { state, validator, config } = server;
    const page = homePage({
      release: config.release,
      validator,
      offset: state.offset,
      time: Instant.format(server.now()),
      profile: settingsOf(state).profile.name,
      isDev: config.dev,
    });
    return c.body(page, 200, HEADERS);
  });
};
