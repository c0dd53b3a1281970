/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Child processes: started apart from the terminal, known by pid and start time, waited for with a
 * bound, stopped for certain. Knows nothing of what the processes are.
 */
package io.phasewise.lab.process;
