/** The canary's watch on itself: was it Kafka that was slow, or was the canary not running? */
package io.phasewise.canary.watch;
