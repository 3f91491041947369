import { allOf } from '@coinlab/core/views';
import { Duration, Instant } from '@coinlab/core';
import { dso, provider } from '../cast.js';
import type { RecipesOf } from '../recipe.js';

export const traffic: RecipesOf<
  | 'BuyMemberTraffic'
  | 'MergeMemberTraffic'
  | 'CreateTopUpState'
  | 'TopUpTraffic'
  | 'ConsumeTraffic'
  | 'CreateTrafficRequest'
  | 'CompleteTrafficRequest'
  | 'CancelTrafficRequest'
  | 'ExpireTrafficRequest'
> = {
  BuyMemberTraffic: {
    weight: 1.5,
    draw: (d) => {
      const payer = d.holder();
      return {
        command: {
          type: 'BuyMemberTraffic',
          payer,
          ...d.member(),
          trafficBytes: d.trafficBytes(),
          inputs: d.inputs(payer),
        },
        actAs: [payer],
      };
    },
  },

  MergeMemberTraffic: {
    weight: 0.7,
    needs: ['MemberTraffic'],
    draw: (d) => {
      const some = [...allOf(d.state, 'MemberTraffic')].map(({ id }) => id);
      const contracts = some.slice(0, 2 + d.dice.roll(3));
      return {
        command: { type: 'MergeMemberTraffic', contracts: d.dice.chance(10) ? [...contracts, d.anyId()] : contracts },
        actAs: [dso],
      };
    },
  },

  CreateTopUpState: {
    weight: 0.4,
    draw: (d) => {
      const validator = d.dice.chance(50) ? d.party() : provider;
      return { command: { type: 'CreateTopUpState', validator, ...d.member() }, actAs: [validator] };
    },
  },

  TopUpTraffic: {
    weight: 1,
    needs: ['ValidatorTopUpState'],
    draw: (d) => {
      const loop = d.contract('ValidatorTopUpState');
      const payer = loop?.validator ?? d.party();
      const minTopupInterval = Duration.seconds(d.dice.pick([600, 0, 60, -1]));
      const tap = d.dice.chance(30);
      return {
        command: {
          type: 'TopUpTraffic',
          topUpState: d.ref(loop),
          trafficBytes: d.trafficBytes(),
          minTopupInterval,
          inputs: d.inputs(payer),
          ...(tap ? { tap } : {}),
        },
        actAs: [payer],
        at: loop && d.dice.chance(40) ? d.after(Instant.plus(loop.lastPurchasedAt, minTopupInterval)) : d.now,
      };
    },
  },

  ConsumeTraffic: {
    weight: 0.7,
    draw: (d) => ({
      command: {
        type: 'ConsumeTraffic',
        ...d.member(),
        bytes: d.dice.pick([100_000, 1, 400_000, 250_001, 0, 2_000_000]),
        ...(d.dice.chance(50) ? { recipients: d.dice.roll(20) - 1 } : {}),
      },
      actAs: [dso],
    }),
  },

  CreateTrafficRequest: {
    weight: 1,
    draw: (d) => {
      const endUser = d.holder();
      return {
        command: {
          type: 'CreateTrafficRequest',
          endUser,
          ...d.member(),
          trafficBytes: d.trafficBytes(),
          trackingId: d.trackingId(),
          expiresAt: d.ahead(),
        },
        actAs: [endUser],
      };
    },
  },

  CompleteTrafficRequest: {
    weight: 1.5,
    needs: ['BuyTrafficRequest'],
    draw: (d) => {
      const request = d.contract('BuyTrafficRequest', ({ expiresAt }) => d.now < expiresAt);
      const endUser = request?.endUser ?? d.party();
      return {
        command: {
          type: 'CompleteTrafficRequest',
          request: d.ref(request),
          walletProvider: provider,
          inputs: d.inputs(endUser),
        },
        actAs: [endUser, provider],
        at: d.before(request?.expiresAt),
      };
    },
  },

  CancelTrafficRequest: {
    weight: 0.4,
    needs: ['BuyTrafficRequest'],
    draw: (d) => {
      const request = d.contract('BuyTrafficRequest');
      return {
        command: { type: 'CancelTrafficRequest', request: d.ref(request), reason: d.text() },
        actAs: [request?.endUser ?? d.party()],
        at: d.before(request?.expiresAt),
      };
    },
  },

  ExpireTrafficRequest: {
    weight: 0.4,
    needs: ['BuyTrafficRequest'],
    draw: (d) => {
      const request = d.contract('BuyTrafficRequest');
      return {
        command: { type: 'ExpireTrafficRequest', request: d.ref(request) },
        actAs: [request?.endUser ?? d.party()],
        at: d.after(request?.expiresAt),
      };
    },
  },
};
