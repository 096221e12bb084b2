//! Model-checker runs: command, process, output, verdict; the only one that starts processes.
