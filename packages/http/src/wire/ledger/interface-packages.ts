/** Source: specification of the API §11.1. */
export const INTERFACE_PACKAGES = {
  holding: {
    packageName: 'splice-api-token-holding-v1',
    packageId: '718a0f77e505a8de22f188bd4c87fe74101274e9d4cb1bfac7d09aec7158d35b',
    module: 'Splice.Api.Token.HoldingV1',
  },
  transferInstruction: {
    packageName: 'splice-api-token-transfer-instruction-v1',
    packageId: '55ba4deb0ad4662c4168b39859738a0e91388d252286480c7331b3f71a517281',
    module: 'Splice.Api.Token.TransferInstructionV1',
  },
  allocationInstruction: {
    packageName: 'splice-api-token-allocation-instruction-v1',
    packageId: '275064aacfe99cea72ee0c80563936129563776f67415ef9f13e4297eecbc520',
    module: 'Splice.Api.Token.AllocationInstructionV1',
  },
  featuredAppRight: {
    packageName: 'splice-api-featured-app-v1',
    packageId: '7804375fe5e4c6d5afe067bd314c42fe0b7d005a1300019c73154dd939da4dda',
    module: 'Splice.Api.FeaturedAppRightV1',
  },
} as const;
