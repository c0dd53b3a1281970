/**
 * Relates each broker's clock and distance to the canary's monotonic clock. Everything here is fed
 * with instants and reads no clock itself.
 */
package io.phasewise.canary.clock;
