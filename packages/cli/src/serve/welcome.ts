import { Instant, settingsOf, TEST_PARTIES } from '@coinlab/core';
import { differenceToMachine, isLoopback, type CoinlabServer, type ListeningServer } from '@coinlab/http';
import type { LogPrefix } from './log-prefix.js';

const SHOWN = 10;

export async function welcome(
  server: CoinlabServer,
  { url, urls, ledgerUrl }: ListeningServer,
  { kept, from }: { readonly kept: string | null; readonly from: string | undefined },
  prefix: LogPrefix | null,
): Promise<string> {
  const { config, token, host, hosted } = server;
  const { auth, validatorWalletUser: operator, clock, dev } = config;
  const { state } = host;
  const lines = [
    `coinlab listens on ${url}`,
    ...(config.ledgerPort === null ? [] : [`JSON Ledger API on ${ledgerUrl}`]),
    ...portsOf(server, urls),
    `profile ${settingsOf(state).profile.name}, clock ${clock}, log ${kept === null ? 'in memory' : `in ${kept}`}, offset ${state.offset}`,
  ];
  if (host.standby !== null) lines.push(host.standby);
  if (prefix)
    lines.push(
      `opened ${from} at offset ${prefix.state.offset} of ${prefix.end}, ${Instant.format(prefix.state.time)}`,
    );
  lines.push(reachOf(config));
  const difference = differenceToMachine(host.now());
  if (difference !== null) lines.push(difference);
  lines.push(`use the page: ${url}/`, `try the API: ${url}/docs`);
  if (auth.algorithm === 'hs-256-unsafe') {
    const walletUsers = config.validators.flatMap((one) => one.walletUsers);
    const users = prefix ? hosted.map(({ user }) => user) : dev ? TEST_PARTIES : [];
    lines.push('', 'Tokens (HS256):');
    const shown = [operator, ...walletUsers, ...users.slice(0, SHOWN)];
    for (const user of shown) lines.push(`  ${user.padEnd(16)} ${await token(user)}`);
    if (users.length > SHOWN) {
      const rest = users.length - SHOWN;
      lines.push(`  and ${rest} more: the user name ("sub" of the token) is the part of the party id before '::'`);
    }
    const user = users[0] ?? walletUsers[0] ?? operator;
    lines.push('', 'Try it:', `  curl -H 'Authorization: Bearer ${await token(user)}' ${url}/v0/wallet/balance`);
  }
  return `${lines.join('\n')}\n`;
}

function reachOf({ host, dev, auth }: CoinlabServer['config']): string {
  const who = isLoopback(host) ? 'programs on this machine' : `all machines that reach ${host}`;
  const secret = auth.algorithm === 'hs-256-unsafe' && auth.secret === 'unsafe';
  const open = [
    ...(dev ? ['act as any party under /dev'] : []),
    ...(secret ? ['sign tokens with the well-known secret'] : []),
  ];
  return `reachable by ${who}${open.length === 0 ? '' : `, which may ${open.join(' and ')}`}`;
}

function portsOf({ config }: CoinlabServer, urls: readonly string[]): readonly string[] {
  const hasIpv6 = urls.some((url) => url.startsWith('http://['));
  return config.validators.map(({ name, ports, ledgerPort }) => {
    const ledger = ledgerPort === undefined ? '' : `; JSON Ledger API on ${ledgerPort}`;
    return `  ${name.padEnd(14)} ports ${ports.join(', ')}${ledger}${hasIpv6 ? ' (IPv4 and IPv6)' : ''}`;
  });
}
