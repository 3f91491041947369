import { effect } from '@preact/signals';
import type { JSX } from 'preact';
import { LedgerView } from './ledger/ledger-view.js';
import { ServerView } from './server/server-view.js';
import { LinkState } from './shell/link-state.js';
import { NetworkView } from './network/network-view.js';
import { MomentBar } from './shell/moment-bar.js';
import { UserMenu } from './shell/user-menu.js';
import { Notices } from './parts/notices.js';
import { forkName } from './store/fork.js';
import { linkTo, view } from './store/route.js';
import { isDev } from './store/live.js';
import { WalletView } from './wallet/wallet-view.js';

const VIEWS = {
  wallet: { title: 'Wallet', View: WalletView },
  ledger: { title: 'Ledger', View: LedgerView },
  network: { title: 'Network', View: NetworkView },
  server: { title: 'Server', View: ServerView },
} as const;

export function App(): JSX.Element {
  const { title, View } = Object.entries(VIEWS).find(([name]) => name === view.value)?.[1] ?? VIEWS.wallet;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={linkTo('wallet')}>
          coinlab
        </a>
        {forkName === null ? null : (
          <span class="fork">
            fork <bdi>{forkName}</bdi>
          </span>
        )}
        <nav aria-label="Views">
          {Object.entries(VIEWS)
            .filter(([name]) => name !== 'server' || isDev.value === true)
            .map(([name, one]) => (
              <a key={name} href={linkTo(name)} {...(one.title === title ? { 'aria-current': 'page' as const } : {})}>
                {one.title}
              </a>
            ))}
        </nav>
        <LinkState />
        <UserMenu />
      </header>
      {isDev.value === true ? <MomentBar /> : null}
      <main id="main" tabIndex={-1}>
        <View />
      </main>
      <Notices />
      <footer>
        <a href="docs">API page</a> <a href="openapi.json">OpenAPI document</a> <a href="status">Status</a>{' '}
        <a href="metrics">Metrics</a>
      </footer>
    </>
  );
}

function skip(event: MouseEvent): void {
  // The address names the view, so the link must not change it.
  event.preventDefault();
  document.getElementById('main')?.focus();
}

effect(() => {
  const { title } = Object.entries(VIEWS).find(([name]) => name === view.value)?.[1] ?? VIEWS.wallet;
  document.title = `${title} · coinlab`;
});
