import { Amount, Duration, holdingsOf, Instant, TRACKING_ID_KEY, type ContractId, type Update } from '@coinlab/core';
import { createServer, DEV_USERS } from '@coinlab/http';
import { openFileStore } from '@coinlab/store';

/** Transfers offered, then accepted, at a time. */
const BATCH = 64;
const PAID = Amount.of('0.5');

/**
 * Writes the log of a development server whose ten users pay each other by offers with tracking ids, until it has so many updates.
 * Every payment spends some small coins, so that wallets stay as small as wallets are kept.
 */
export async function writeLog(folder: string, updates: number): Promise<void> {
  const opened = await openFileStore({ folder });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const server = await createServer({ dev: true, clock: 'manual' }, { log: opened.value });
  const { host, participantId } = server.server;
  const namespace = participantId.slice(participantId.lastIndexOf(':') + 1);
  const parties = DEV_USERS.map((user) => `${user}::${namespace}` as Update['actAs'][number]);
  for (let made = 0; host.state.offset < updates; made += BATCH) {
    const offers = Array.from({ length: BATCH }, (_, i) => {
      const sender = parties[(made + i) % parties.length] as (typeof parties)[number];
      const receiver = parties[(made + i + 1 + ((made / BATCH) % 8)) % parties.length] as typeof sender;
      const make = host.submitFrom(
        (state, now) => ({
          type: 'CreateOffer',
          sender,
          receiver,
          amount: PAID,
          executeBefore: Instant.plus(now, Duration.hours(24)),
          inputs: [
            ...firstOf(holdingsOf(state, sender, 'largest'), 1),
            ...firstOf(holdingsOf(state, sender, 'smallest'), 4),
          ].filter((id, at, all) => all.indexOf(id) === at),
          meta: { [TRACKING_ID_KEY]: `payment-${made + i}` },
        }),
        [sender],
      );
      return make.then((answer) => ({ answer, receiver }));
    });
    const accepted = (await Promise.all(offers)).map(({ answer, receiver }) => {
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
      const instruction = answer.value.created.find(({ template }) => template === 'TransferInstruction')?.id;
      return host.submit({ type: 'AcceptOffer', instruction: instruction as ContractId }, [receiver]);
    });
    for (const answer of await Promise.all(accepted)) if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  }
  await server.close();
}

function firstOf(holdings: Iterable<{ readonly id: ContractId }>, count: number): readonly ContractId[] {
  const ids: ContractId[] = [];
  for (const { id } of holdings) {
    if (ids.length === count) break;
    ids.push(id);
  }
  return ids;
}
