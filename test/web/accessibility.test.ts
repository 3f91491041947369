import { Duration, holdingsOf, Instant } from '@coinlab/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAxe, violationsOn } from '../axe.ts';
import { hasNoBrowser } from '../browser.ts';
import { Site, type Tab } from './tab.ts';

/** Every screen with something to show, and the states without. */
const SCREENS = [
  '#/wallet?user=alice',
  '#/wallet/send?user=alice',
  '#/wallet/offers?user=alice',
  '#/wallet/coins?user=alice',
  '#/wallet/coins?user=empty',
  '#/wallet/history?user=alice',
  '#/wallet/history?user=empty',
  '#/wallet/traffic?user=alice',
  '#/wallet/delegations?user=alice',
  '#/wallet?user=newcomer',
  '#/ledger?user=alice',
  '#/ledger?user=alice&template=Holding&at=40&contract=12',
  '#/ledger?user=alice&contract=999999',
  '#/ledger?user=alice&text=nothing+has+this',
  '#/ledger/updates?user=alice',
  '#/ledger/updates?user=alice&at=30',
  '#/ledger/life?user=alice',
  '#/network?user=alice',
  '#/network/rules?user=alice',
  '#/network/validators?user=alice',
  '#/network/parties?user=alice',
  '#/network/coins?user=alice',
  '#/server?user=alice',
  '#/server/forks?user=alice',
  '#/server/automation?user=alice',
  '#/server/faults?user=alice',
  '#/server/refusals?user=alice',
];

const LOOKS = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['light at 375 pixels', { colorScheme: 'light', viewport: { width: 375, height: 800 } }],
  ['dark at 2560 pixels', { colorScheme: 'dark', viewport: { width: 2560, height: 1300 } }],
] as const;

/** The screens, with the life of a coin that has come from others. */
function screens({ server }: Site): readonly string[] {
  const [coin] = holdingsOf(server.state, server.party('alice'), 'largest');
  return [...SCREENS, `#/ledger/life?user=alice&contract=${coin?.id}`];
}

/** The serious and critical findings of axe-core, one line for each element. */
async function faultsOf({ page }: Tab, isDark: boolean = false): Promise<readonly string[]> {
  return (await violationsOn(page, isDark))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`));
}

describe.skipIf(hasNoBrowser)('the accessibility of the page', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open({
      start: {
        parties: [{ name: 'alice', coins: ['200 x 0.5'], preapproval: true }, { name: 'bob' }, { name: 'empty' }],
        offers: [
          { from: 'alice', to: 'bob', amount: 3, description: 'rent' },
          { from: 'bob', to: 'alice', amount: 2, description: 'a loan' },
        ],
      },
    });
    const { server } = site;
    const bob = server.party('bob');
    const expiresAt = Instant.plus(server.now, Duration.of('1d'));
    const delegate = server.party('alice');
    await server.submit(
      { type: 'ProposeMintingDelegation', beneficiary: bob, delegate, expiresAt, amuletMergeLimit: 10 },
      bob,
    );
  });
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  it('has no serious finding of axe-core on any screen, in any colour scheme', async () => {
    // The looks at once: each waits for the server most of the time. A wide screen has the colours of a narrow one.
    const looks = LOOKS.filter(([name]) => name !== 'dark at 2560 pixels');
    const found = await Promise.all(looks.map(([name, look]) => faultsOnScreens(name, look)));
    expect(found.flat()).toEqual([]);
  });

  async function faultsOnScreens(name: string, look: Parameters<Site['tab']>[1]): Promise<readonly string[]> {
    const tab = await site.tab('', look);
    await addAxe(tab.page);
    const found: string[] = [];
    for (const screen of screens(site)) {
      await tab.open(screen);
      await tab.page.getByRole('button', { name: new RegExp(`^${/user=(\w+)/.exec(screen)?.[1]}`) }).waitFor();
      // A screen that does not show what it is for would pass.
      if (screen.includes('/life?') && screen.includes('contract'))
        await tab.page.getByText('From its mints to its end').waitFor();
      if (screen.includes('/coins?user=alice')) await tab.page.getByRole('table').first().waitFor();
      const isDark = name.startsWith('dark');
      found.push(...(await faultsOf(tab, isDark)).map((fault) => `${name} ${screen} ${fault}`));
    }
    return [...found, ...tab.faults];
  }

  it('keeps every table inside its card between a telephone and a wide screen', async () => {
    const tab = await site.tab('#/ledger?user=alice&template=TransferInstruction');
    const wide: string[] = [];
    for (const screen of [
      'ledger?template=TransferInstruction&user=alice',
      'network?user=alice',
      'wallet/coins?user=bob',
    ])
      for (const width of [375, 890, 1040, 1250]) {
        await tab.page.setViewportSize({ width, height: 800 });
        await tab.open(`#/${screen}`);
        await tab.page.getByRole('table').first().waitFor();
        const over = await tab.page.evaluate<number>(`Math.max(...[...document.querySelectorAll('.table:not(.scroll)')]
          .flatMap((table) => [...table.querySelectorAll('.tr > span')]
            .map((cell) => cell.getBoundingClientRect().right - table.getBoundingClientRect().right)))`);
        if (over > 1) wide.push(`${screen} at ${width} pixels: ${Math.round(over)} too wide`);
      }
    expect(wide).toEqual([]);
  });

  it.each(LOOKS)('has no serious finding of axe-core in a dialog, notice and command: %s', async (_, look) => {
    const tab = await site.tab('#/wallet/send?user=alice', look);
    const { page } = tab;
    await addAxe(page);
    await page.getByLabel('Receiver').fill(`stranger::1220${'f'.repeat(64)}`);
    await page.getByLabel('Amount in CC').fill('1');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const outcome = page.getByRole('region', { name: 'Outcomes' });
    await outcome.getByText('Refused').waitFor();
    await outcome.getByText('Request as curl').click();
    const found = [...(await faultsOf(tab))];
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'alice' }).click();
    await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor();
    expect([...found, ...(await faultsOf(tab))]).toEqual([]);
  });
});
