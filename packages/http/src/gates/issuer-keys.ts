import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { factsOf, type Logger } from '../observe/logger.js';
import { Problem } from '../problem.js';

/**
 * The keys of an issuer, fetched from its JWKS address when a token needs them. While they cannot be fetched, tokens are answered
 * with 503, because they may be valid; the logger is told of the first failure after each success.
 */
export function issuerKeys(jwksUrl: string, logger: Logger): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl));
  let isReachable = true;
  return async (header, token) => {
    try {
      const key = await keys(header, token);
      isReachable = true;
      return key;
    } catch (error) {
      if (isFaultOfToken(error)) throw error;
      if (isReachable)
        logger.error({ jwksUrl, ...factsOf(error), reason: reasonOf(error) }, 'the JWKS cannot be fetched');
      isReachable = false;
      throw new Problem(503, 'the keys of the issuer cannot be fetched; try again');
    }
  };
}

/** Whether the keys are there, and none or several of them fit the header of the token. */
function isFaultOfToken(error: unknown): boolean {
  return [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported].some(
    (kind) => error instanceof kind,
  );
}

/** The message and, as `fetch` hides it there, that of the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
