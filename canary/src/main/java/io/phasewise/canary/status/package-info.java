/** What the canary says about itself: problems, and the state of each cluster and broker. */
package io.phasewise.canary.status;
