import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest } from './manifest.js';
import { isCollectableStatus } from './status.js';

export const GC_MIN_AGE_MS = 24 * 60 * 60 * 1_000;

/** Removes the folders of sessions that ended long ago, and tells how many bytes that freed. */
export async function collectSessions(home: string, now: number): Promise<number> {
  let freed = 0;
  for (const name of await readdir(home)) {
    const directory = join(home, name);
    const manifest = await readManifest(directory);
    if (manifest === null || !isCollectableStatus(manifest.status)) continue;
    if (now - (await stat(directory)).mtimeMs < GC_MIN_AGE_MS) continue;

    // Measuring takes a while, and a session of the same name may be created meanwhile: look again.
    const bytes = await measureBytes(directory);
    const latest = await readManifest(directory);
    if (latest === null || !isCollectableStatus(latest.status)) continue;
    await rm(directory, { recursive: true, force: true });
    freed += bytes;
  }
  return freed;
}

async function measureBytes(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
