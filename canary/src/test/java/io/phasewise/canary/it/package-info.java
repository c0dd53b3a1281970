/** The canary against real brokers. */
package io.phasewise.canary.it;
