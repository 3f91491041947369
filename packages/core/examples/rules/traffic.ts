// Traffic.
import { Amount, Duration, explain, genesisConfig, GENESIS_TIME, Instant, PartyId } from '@coinlab/core';
import {
  availableBytes,
  baseBytesAt,
  consumeTraffic,
  GENESIS_PRICE,
  initialTrafficBalance,
  MESSAGE_SIZE,
  messageBytes,
  messageCost,
  participantOf,
  quoteTraffic,
  requireMember,
  trafficCost,
} from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

const { traffic } = genesisConfig('feeless');
const cost = trafficCost(traffic.minTopupBytes, traffic.extraTrafficPriceUsd, GENESIS_PRICE);
console.log(Amount.short(cost.usd), Amount.short(cost.coin));
console.log(participantOf(PartyId.of('alice')).slice(0, 12));

const bytes = messageBytes({ inputs: 2, outputs: 3 });
console.log(MESSAGE_SIZE, bytes, messageCost({ bytes, recipients: 5 }, traffic));

const full = initialTrafficBalance(traffic, GENESIS_TIME);
const spent = consumeTraffic(full, 400_000n, traffic, GENESIS_TIME);
if (!spent.ok) throw new Error(explain(spent.error));
const later = Instant.plus(GENESIS_TIME, Duration.seconds(3));
console.log(Amount.short(baseBytesAt(spent.value, traffic, later)), availableBytes(spent.value, traffic, later));
const refused = consumeTraffic(spent.value, 1001n, traffic, later);
console.log(refused.ok || explain(refused.error));

const { state, now, parties } = createTestLedger();
const member = requireMember({ memberId: participantOf(parties.alice) }, state);
if (!member.ok) throw new Error(explain(member.error));
const quote = quoteTraffic({ ...member.value, trafficBytes: 1_000_000 }, state, now);
if (quote.ok) console.log(Amount.short(quote.value.cost.coin), quote.value.round.round);
const small = quoteTraffic({ ...member.value, trafficBytes: 1 }, state, now);
console.log(small.ok || small.error.code);

// Prints:
// 3.334 666.8
// PAR::alice::
// { fixedBytes: 6000, inputBytes: 1200, outputBytes: 800 } 10800 10821n
// 1000.0 1000
// The message costs 1001 bytes of traffic: 1000 are available.
// 3334.0 1
// INSUFFICIENT_TOPUP_AMOUNT
