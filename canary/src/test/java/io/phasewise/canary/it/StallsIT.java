/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

/** Pauses measured a few times, on a machine that may be busy with other tests. */
class StallsIT extends Stalls {
    StallsIT() {
        super(Rigor.coarse(3), 3, "{}");
    }
}
