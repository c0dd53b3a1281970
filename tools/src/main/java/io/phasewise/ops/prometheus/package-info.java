/** What is asked of Prometheus. */
package io.phasewise.ops.prometheus;
