import { executedKey } from '../contracts/external-party.js';
import { firstByKey } from '../contracts/state.js';
import { fingerprintOf } from '../rules/signing/signatures.js';
import type { Law } from './law.js';
import { createdOf, isKind } from './touched.js';

/** Source: specification §10, invariant 34. */
export const externalLaws: readonly Law[] = [
  {
    name: 'an external party acts by signed transactions only',
    invariant: 34,
    holds: (step) =>
      step.update.actAs.every(
        (party) =>
          firstByKey(step.before, 'ExternalPartyKey', party) === null ||
          createdOf(step, 'ExecutedTransaction').some((executed) => executed.party === party),
      ),
  },
  {
    name: 'a prepared transaction takes effect once, before it expires',
    invariant: 34,
    holds: (step) => {
      const executed = createdOf(step, 'ExecutedTransaction');
      return (
        executed.length <= 1 &&
        executed.every(
          ({ party, hash, expiresAt }) =>
            step.update.recordTime < expiresAt &&
            firstByKey(step.before, 'ExternalPartyKey', party) !== null &&
            firstByKey(step.before, 'ExecutedTransaction', executedKey(party, hash)) === null,
        )
      );
    },
  },
  {
    name: 'the key of an external party has the fingerprint in its id',
    invariant: 34,
    holds: (step) =>
      createdOf(step, 'ExternalPartyKey').every(({ party, publicKey }) => {
        const fingerprint = fingerprintOf(publicKey);
        return (
          isKind(step, 'ExternalPartyRegistered') &&
          fingerprint.ok &&
          party.endsWith(`::${fingerprint.value}`) &&
          firstByKey(step.before, 'ExternalPartyKey', party) === null
        );
      }),
  },
];
