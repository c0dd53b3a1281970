/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What an experiment is: its question, its parameters, what it compares. Nothing here uses a
 * network.
 */
package io.phasewise.experiments.plan;
