import type uPlot from "uplot";

export interface GroupedChart {
  title: string;
  plot: uPlot;
}

/** Charts that share one x axis: zooming one zooms all, and all can be exported together. */
export class ChartGroup {
  readonly syncKey: string;
  private readonly charts = new Map<string, GroupedChart>();
  private range: { min: number; max: number } | null = null;

  constructor(syncKey: string) {
    this.syncKey = syncKey;
  }

  add(id: string, chart: GroupedChart): void {
    this.charts.set(id, chart);
    if (this.range !== null) {
      chart.plot.setScale("x", this.range);
    }
  }

  remove(id: string, plot: uPlot): void {
    if (this.charts.get(id)?.plot === plot) {
      this.charts.delete(id);
    }
  }

  get(id: string): GroupedChart | undefined {
    return this.charts.get(id);
  }

  all(): GroupedChart[] {
    return [...this.charts.values()];
  }

  zoom(min: number, max: number): void {
    this.range = { min, max };
    for (const { plot } of this.charts.values()) {
      plot.setScale("x", this.range);
    }
  }

  /** Shows everything again; also what new data does to charts that are not zoomed. */
  reset(): void {
    this.range = null;
    for (const { plot } of this.charts.values()) {
      plot.setData(plot.data, true);
    }
  }

  get isZoomed(): boolean {
    return this.range !== null;
  }
}
