import { z } from '@hono/zod-openapi';

/** Error body of the JSON Ledger API. Source: specification of the API §8.2. */
export const cantonErrorSchema = z
  .object({
    code: z.string(),
    cause: z.string(),
    correlationId: z.string().nullish(),
    traceId: z.string().nullish(),
    context: z.record(z.string(), z.string()),
    resources: z.array(z.tuple([z.string(), z.string()])).optional(),
    errorCategory: z.int(),
    grpcCodeValue: z.int().optional(),
    retryInfo: z.string().nullish(),
    definiteAnswer: z.boolean().nullish(),
  })
  .openapi('JsCantonError');

export type CantonError = z.infer<typeof cantonErrorSchema>;

const GRPC = { invalidArgument: 3, notFound: 5, permissionDenied: 7, unauthenticated: 16 } as const;

export function invalidArgument(cause: string): CantonError {
  return { ...blank, code: 'INVALID_ARGUMENT', cause, errorCategory: 8, grpcCodeValue: GRPC.invalidArgument };
}

export function partyNotKnown(parties: readonly string[]): CantonError {
  return {
    ...blank,
    code: 'PARTY_NOT_KNOWN_ON_LEDGER',
    cause: `Parties not known on ledger: ${parties.join(', ')}`,
    resources: parties.map((party): [string, string] => ['PARTY', party]),
    errorCategory: 11,
    grpcCodeValue: GRPC.notFound,
  };
}

/** Error without a reason, for 401 or 403. */
export function redacted(status: 401 | 403): CantonError {
  return {
    ...blank,
    code: 'NA',
    cause: 'A security-sensitive error has been received',
    errorCategory: -1,
    grpcCodeValue: status === 401 ? GRPC.unauthenticated : GRPC.permissionDenied,
  };
}

const blank = {
  correlationId: null,
  traceId: null,
  context: {},
  resources: [],
  retryInfo: null,
  definiteAnswer: null,
};
