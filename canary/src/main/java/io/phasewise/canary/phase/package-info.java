/**
 * From the instants of one probe to its phases: pure functions and small bounded memories, no
 * clocks, no network. Estimating when the leader appended a probe is left to {@code clock}, keeping
 * the probes is left to the ledger.
 */
package io.phasewise.canary.phase;
