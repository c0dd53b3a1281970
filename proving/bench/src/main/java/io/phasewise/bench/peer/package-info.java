/** What the canary is measured against. */
package io.phasewise.bench.peer;
