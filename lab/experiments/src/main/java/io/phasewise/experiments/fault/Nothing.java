/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

/** No fault: what must not be noticed. */
public record Nothing() implements Fault {
    @Override
    public Broken begin(FaultTarget target) {
        return () -> {};
    }
}
