import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionStatus } from './status.js';

/** What is kept of a session on disk, in `manifest.json` of its folder. */
export interface Manifest {
  readonly id: string;
  readonly status: SessionStatus;
  readonly hostPid: number;
  readonly exitCode: number | null;
}

export async function readManifest(directory: string): Promise<Manifest | null> {
  try {
    return JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as Manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The only writer of `manifest.json`: whole, durable, and never seen half written. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const path = join(directory, 'manifest.json');
  const file = await open(`${path}.tmp`, 'w');
  try {
    await file.writeFile(JSON.stringify(manifest, null, 2));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
}
