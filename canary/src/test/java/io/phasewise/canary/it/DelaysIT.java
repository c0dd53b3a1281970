/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

/** Delays so long that a machine which is busy with other tests cannot be taken for them. */
class DelaysIT extends Delays {
    DelaysIT() {
        super(400, 5, Rigor.coarse(1));
    }
}
