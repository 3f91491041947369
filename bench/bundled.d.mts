export function bundled(program: string, outfile: string, root?: string): Promise<string>;
