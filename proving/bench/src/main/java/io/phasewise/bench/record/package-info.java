/** Recording one probe, as a JMH benchmark with the canary's own classes. */
package io.phasewise.bench.record;
