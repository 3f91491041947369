import { PartyId, type Contract, type TemplateName } from '@coinlab/core';
import { TEMPLATE_NAMES, templateOf, TEMPLATES } from '@coinlab/core/contracts';
import { expect, it } from 'vitest';

const [dso, ann, ben, cid] = ['DSO', 'ann', 'ben', 'cid'].map(PartyId.of) as [PartyId, PartyId, PartyId, PartyId];

/* A contract of each template that recognises one with the same stakeholders and keys, and another value of each of its fields. */
const samples: { [Name in TemplateName]?: readonly [fields: object, others: object] } = {
  AppRewardCoupon: [
    { provider: ann, featured: true, amount: 1n, round: 7, beneficiary: ben },
    { provider: cid, featured: false, amount: 2n, round: 23, beneficiary: null },
  ],
  ValidatorRewardCoupon: [
    { user: ann, amount: 1n, round: 7 },
    { user: ben, amount: 2n, round: 23 },
  ],
  TrackingRecord: [
    {
      subject: 'transfer',
      owner: ann,
      receiver: ben,
      trackingId: 'id',
      status: 'created',
      failure: null,
      reason: null,
      contract: 8,
    },
    {
      subject: 'tap',
      owner: cid,
      receiver: cid,
      trackingId: 'other',
      status: 'failed',
      failure: 'expired',
      reason: 'late',
      contract: null,
    },
  ],
};

const contractOf = (template: TemplateName, fields: object) => ({ id: 9, template, ...fields }) as unknown as Contract;

function keysOf(contract: Contract): readonly unknown[] {
  const about = templateOf(contract);
  const subject = about.subject && contract[about.subject as keyof Contract];
  return [
    about.signatories(contract, dso),
    about.observers(contract, dso),
    subject,
    about.keys?.(contract, []),
    about.ownKeys?.(contract),
  ];
}

it.each(Object.entries(samples).map(([name, sample]) => [name as TemplateName, ...sample] as const))(
  'a %s has the keys of another one unless a field differs that its stakeholders or keys name',
  (template, fields, others) => {
    const one = contractOf(template, fields);
    const { hasKeysOf } = templateOf(one);
    expect(Object.keys(others)).toEqual(Object.keys(TEMPLATES[template].fields));
    expect(hasKeysOf?.(one, contractOf(template, { ...fields, id: 10 }))).toBe(true);
    const told = Object.entries(others).map(([field, value]) => {
      const other = contractOf(template, { ...fields, [field]: value });
      const isEqual = JSON.stringify(keysOf(one)) === JSON.stringify(keysOf(other));
      return [field, isEqual, hasKeysOf?.(one, other)];
    });
    expect(told).toEqual(told.map(([field, isEqual]) => [field, isEqual, isEqual]));
  },
);

it('all templates that recognise such a contract are in the table', () => {
  const recognising = TEMPLATE_NAMES.filter((name) => TEMPLATES[name].hasKeysOf);
  expect(recognising.sort()).toEqual(Object.keys(samples).sort());
});
