/**
 * When probes are due, and the thread that sends them off then: an open loop that no slow answer
 * holds up.
 */
package io.phasewise.canary.schedule;
