import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { readManifest, writeManifest } from './manifest.js';
import type { SessionStatus } from './status.js';
import { isCommandableStatus, isTerminalStatus } from './status.js';

export const KILL_GRACE_MS = 5_000;

/** Runs one session: starts its program, keeps its manifest, and stops it when asked to. */
export async function runHost(directory: string, command: string, args: string[]): Promise<void> {
  let status: SessionStatus = 'starting';
  await mkdir(directory, { recursive: true });
  await writeManifest(directory, { id: directory, status, hostPid: process.pid, exitCode: null });

  const child = spawn(command, args, { detached: true, stdio: 'ignore' });
  status = 'running';
  await writeManifest(directory, { id: directory, status, hostPid: process.pid, exitCode: null });

  async function initiateShutdown(): Promise<void> {
    if (!isCommandableStatus(status)) return;
    status = 'stopping';
    child.kill('SIGTERM');
    setTimeout(() => {
      if (!isTerminalStatus(status)) child.kill('SIGKILL');
    }, KILL_GRACE_MS).unref();
  }

  async function handleExit(exitCode: number | null): Promise<void> {
    if (isTerminalStatus(status)) return;
    status = exitCode === null ? 'failed' : 'exited';
    const manifest = await readManifest(directory);
    if (manifest === null) return;
    await writeManifest(directory, { ...manifest, status, exitCode });
  }

  process.on('SIGTERM', () => {
    void initiateShutdown();
  });
  child.on('exit', (code) => void handleExit(code));
}
