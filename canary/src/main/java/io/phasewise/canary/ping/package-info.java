/** Measures round trips to brokers; what to conclude from them is left to {@code clock}. */
package io.phasewise.canary.ping;
