// The development fund. `FundHistory` takes every update once, in order. `ended` lists the coupons that ended:
// withdrawn, rejected, claimed or expired (§3.6).
import { Amount, PartyId } from '@coinlab/core';
import { FundHistory } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const fundManager = PartyId.of('alice');
const world = createTestLedger({ config: { developmentFundManager: fundManager } });
const { bob } = world.parties;
world.put({ template: 'UnclaimedDevelopmentFundCoupon', amount: Amount.of('100') });

const grant = { fundManager, beneficiary: bob, amount: '40', reason: 'docs', expiresAt: world.later('1h') } as const;
const { detail } = world.execute({ type: 'GrantDevelopmentFundCoupon', ...grant }, fundManager);
world.execute({ type: 'RejectDevelopmentFundCoupon', coupon: detail.coupon }, bob);

const history = new FundHistory();
for (const update of world.updates()) history.add(update);
console.log(history.ended.map(({ end, coupon }) => [end, Amount.short(coupon.amount)]));

// Prints:
// [ [ 'rejected', '40.0' ] ]
