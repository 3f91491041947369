import { createHash } from 'node:crypto';
import { Amount, Engine, prepare } from '@coinlab/core';
import { isSignedBy } from '@coinlab/core/rules';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, it, vi } from 'vitest';
import { ledgerServer, type LedgerServer } from './ledger-commands-fixture.ts';

/*
 * The server verifies signatures with OpenSSL. OpenSSL and the core's portable check differ on signatures that only the owner of the
 * key can make; the server must answer as the portable check does.
 */

const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;

/** Signs like the key of `keyOf(name)`, with the point of order two added to r. */
function signWithSmallOrder(name: string, hash: string): string {
  const seed = createHash('sha256').update(name).digest();
  const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(seed);
  const orderTwo = Point.fromAffine({ x: 0n, y: Point.Fp.ORDER - 1n });
  const nonce = 7n;
  const r = Point.BASE.multiply(nonce).add(orderTwo).toBytes();
  const message = Buffer.from(hash, 'hex');
  const k = fromLittleEndian(createHash('sha512').update(r).update(pointBytes).update(message).digest()) % ORDER;
  const s = (nonce + k * scalar) % ORDER;
  const tail = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([r, tail]).toString('hex');
}

function fromLittleEndian(bytes: Buffer): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

async function preparedTap(
  ledger: LedgerServer,
): Promise<{ readonly body: Record<string, string>; readonly hash: string }> {
  const { disclosedContracts, ...tap } = ledger.tapOf('dave', '1');
  const { status, body } = await ledger.wallets.post('dave', '/v2/interactive-submission/prepare', {
    commands: [{ ExerciseCommand: tap }],
    disclosedContracts,
    commandId: 'c',
    actAs: [ledger.dave.party],
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { body, hash: Buffer.from(body.preparedTransactionHash, 'base64').toString('hex') };
}

describe('a signed transaction', () => {
  it.each<[string, (ledger: LedgerServer, hash: string) => string, boolean]>([
    ['a signature of the key', ({ dave }, hash) => dave.key.sign(hash), true],
    ['a signature with a component of small order', (_, hash) => signWithSmallOrder('dave', hash), true],
    ['a signature of another hash', ({ dave }, hash) => dave.key.sign(`${hash.slice(0, -2)}00`), false],
    ['a signature of zeros', () => '00'.repeat(64), false],
  ])('with %s is accepted or refused as by the portable check', async (_, sign, isValid) => {
    const ledger = await ledgerServer();
    const { body, hash } = await preparedTap(ledger);
    const signature = sign(ledger, hash);
    expect(isSignedBy({ publicKey: ledger.dave.key.publicKey, hash, signature })).toBe(isValid);
    const partySignatures = { signatures: [ledger.signatureOf(ledger.dave.party, signature)] };
    const { status } = await ledger.execute('dave', body, { partySignatures });
    expect(status).toBe(isValid ? 200 : 400);
  });

  it('cannot come from a key of small order, because no party can register one', async () => {
    const ledger = await ledgerServer();
    const neutral = `01${'00'.repeat(31)}`;
    const { body } = await ledger.wallets.post('ledger-api-user', '/v2/parties/external/generate-topology', {
      synchronizer: '',
      partyHint: 'mallory',
      publicKey: {
        format: 'CRYPTO_KEY_FORMAT_RAW',
        keyData: Buffer.from(neutral, 'hex').toString('base64'),
        keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
      },
    });
    const signature = {
      format: 'SIGNATURE_FORMAT_CONCAT',
      signature: Buffer.from(neutral + '00'.repeat(32), 'hex').toString('base64'),
      signedBy: body.publicKeyFingerprint,
      signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
    };
    const refused = await ledger.wallets.post('ledger-api-user', '/v2/parties/external/allocate', {
      synchronizer: '',
      onboardingTransactions: (body.topologyTransactions ?? []).map((transaction: string) => ({ transaction })),
      multiHashSignatures: [signature],
    });
    expect(refused.body).toMatchObject({
      code: 'INVALID_ARGUMENT',
      cause: expect.stringContaining('INVALID_SIGNATURE'),
    });
  });
});

describe('a command with a signed transaction', () => {
  it.each([
    ['as it is', (signature: string) => signature, true],
    ['with text after it', (signature: string) => `${signature}zz`, false],
    ['with a byte after it', (signature: string) => `${signature}00`, false],
    ['without its last byte', (signature: string) => signature.slice(0, -2), false],
    ['with text in place of its last byte', (signature: string) => `${signature.slice(0, -2)}zz`, false],
  ] as const)('is accepted only with the signature in full: %s', async (_, changed, isValid) => {
    const { server, dave } = await ledgerServer();
    const { party, key } = dave;
    const { state, now, host } = server;
    const prepared = prepare({ party, command: { type: 'Tap', receiver: party, amount: Amount.of('1') }, now }, state);
    if (!prepared.ok) throw new Error(prepared.error.code);
    const { transaction, hash } = prepared.value;
    const signature = changed(key.sign(hash));
    const command = { type: 'SubmitPrepared', party, transaction, publicKey: key.publicKey, signature } as const;
    expect((await host.submit(command, [])).ok).toBe(isValid);
  });
});

describe('an engine', () => {
  it('verifies prepared transactions with the function `isSignedBy` of its options', async () => {
    const { server, dave } = await ledgerServer();
    const { party, key } = dave;
    const { state, now } = server;
    const prepared = prepare({ party, command: { type: 'Tap', receiver: party, amount: Amount.of('1') }, now }, state);
    if (!prepared.ok) throw new Error(prepared.error.code);
    const { transaction, hash } = prepared.value;
    const isSigned = vi.fn(() => true);
    const signed = { party, transaction, publicKey: key.publicKey, signature: '00'.repeat(64) } as const;
    const command = { type: 'SubmitPrepared', ...signed } as const;
    const context = { now, actAs: [] };
    expect(new Engine({}, state).submit(command, context)).toMatchObject({ error: { code: 'INVALID_SIGNATURE' } });
    expect(new Engine({ isSignedBy: isSigned }, state).submit(command, context).ok).toBe(true);
    expect(isSigned).toHaveBeenCalledWith({ publicKey: key.publicKey, hash, signature: '00'.repeat(64) });
  });
});
