import { Amount, Duration, holdingsOf, Instant, type Submitted, type Update } from '@coinlab/core';
import { createServer, listen } from '@coinlab/http';

const PAID = Amount.of('0.0001');

export interface Site {
  readonly url: string;
  readonly token: string;
  /** Offers coin and accepts it: two updates. */
  readonly pay: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a development server with a log of payments: alice offers coin, bob accepts. */
export async function served(updates: number): Promise<Site> {
  const server = await createServer({ dev: true, clock: 'manual', traffic: 'free', port: 0 });
  const [sender, receiver] = [server.party('alice'), server.party('bob')];
  const executeBefore = Instant.plus(server.now, Duration.of('1d'));
  let coin = [...holdingsOf(server.state, sender, 'largest')][0]?.id;
  const pay = async (): Promise<void> => {
    const inputs = coin === undefined ? [] : [coin];
    const offer = { type: 'CreateOffer', sender, receiver, amount: PAID, executeBefore, inputs } as const;
    const { created } = required(await server.submit(offer, sender));
    coin = created.find((one) => one.template === 'Holding' && one.lock === null)?.id;
    const instruction = created.find(({ template }) => template === 'TransferInstruction')?.id;
    if (instruction !== undefined) required(await server.submit({ type: 'AcceptOffer', instruction }, receiver));
  };
  while (server.state.offset < updates) await pay();
  const { url, close } = await listen(server);
  return { url, token: await server.token('alice'), pay, close };
}

function required(answer: Submitted): Update {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value.update;
}
