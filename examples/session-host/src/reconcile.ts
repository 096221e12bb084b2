import { isHostAlive } from './liveness.js';
import { readManifest, writeManifest } from './manifest.js';
import { isTerminalStatus } from './status.js';

/** Marks a session whose host died without a word as failed. */
export async function reconcileSession(directory: string): Promise<void> {
  const manifest = await readManifest(directory);
  if (manifest === null) return;
  if (isTerminalStatus(manifest.status)) return;
  if (isHostAlive(manifest.hostPid)) {
    return;
  }
  await writeManifest(directory, { ...manifest, status: 'failed' });
}
