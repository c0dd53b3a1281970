/** Keeps the canary's own threads at work: what throws is counted, logged and started again. */
package io.phasewise.canary.supervise;
