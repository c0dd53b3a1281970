/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Turns one YAML file and the environment into checked, typed settings, or into a list of every
 * fault found.
 */
package io.phasewise.canary.config;
