export function bundled(programs: readonly string[], outfile: string, root?: string): Promise<string>;
